// The leaf-spine of crates/sim/examples/hops.rs in ns-3: 16 hosts at 10 Gb/s at four leaves, two spines at 20 Gb/s,
// queues of 300 KB, links of 1 us. Each host sends to four others at Poisson times, at 80 % of its line in all.
//
//   leaf_spine MILLISECONDS
//
// Prints packets that have arrived and seconds that the run has taken.

#include "connect.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace ns3;

namespace
{

constexpr uint32_t LEAVES = 4;
constexpr uint32_t SPINES = 2;
constexpr uint32_t HOSTS = 16;
constexpr uint16_t PORT = 5001;
// An Ethernet frame of 1,500 bytes carries so many bytes of data in UDP over IPv4.
constexpr uint32_t DATA = 1458;
// What each of a host's four streams offers, frames without FCS, bits a second.
constexpr double RATE = 2e9;

uint64_t g_arrived = 0;

void
Receive(Ptr<Socket> socket)
{
    while (Ptr<Packet> packet = socket->Recv())
    {
        g_arrived++;
    }
}

class Stream : public Application
{
  public:
    void Set(Ptr<Node> node, Ipv4Address to)
    {
        m_socket = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        m_socket->Connect(InetSocketAddress(to, PORT));
        m_gap = CreateObject<ExponentialRandomVariable>();
        m_gap->SetAttribute("Mean", DoubleValue((DATA + 42) * 8 / RATE));
    }

    void StartApplication() override
    {
        Schedule();
    }

  private:
    void Schedule()
    {
        Simulator::Schedule(Seconds(m_gap->GetValue()), &Stream::Send, this);
    }

    void Send()
    {
        m_socket->Send(Create<Packet>(DATA));
        Schedule();
    }

    Ptr<Socket> m_socket;
    Ptr<ExponentialRandomVariable> m_gap;
};

} // namespace

int
main(int argc, char** argv)
{
    const int milliseconds = argc > 1 ? std::atoi(argv[1]) : 10;
    Config::SetDefault("ns3::Ipv4GlobalRouting::RandomEcmpRouting", BooleanValue(true));
    NodeContainer leaves(LEAVES);
    NodeContainer spines(SPINES);
    NodeContainer hosts(HOSTS);
    InternetStackHelper stack;
    stack.Install(leaves);
    stack.Install(spines);
    stack.Install(hosts);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
    for (uint32_t host = 0; host < HOSTS; host++)
    {
        Connect(hosts.Get(host), leaves.Get(host / (HOSTS / LEAVES)), DataRate("10Gbps"), MicroSeconds(1), "300KB", addresses);
    }
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
    {
        for (uint32_t spine = 0; spine < SPINES; spine++)
        {
            Connect(leaves.Get(leaf), spines.Get(spine), DataRate("20Gbps"), MicroSeconds(1), "300KB", addresses);
        }
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    for (uint32_t host = 0; host < HOSTS; host++)
    {
        Ptr<Node> node = hosts.Get(host);
        Ptr<Socket> sink = Socket::CreateSocket(node, UdpSocketFactory::GetTypeId());
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sink->SetRecvCallback(MakeCallback(&Receive));
        for (uint32_t other = 1; other < 5; other++)
        {
            Ptr<Node> to = hosts.Get((host + other * HOSTS / 5) % HOSTS);
            Ptr<Stream> stream = CreateObject<Stream>();
            stream->Set(node, to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal());
            node->AddApplication(stream);
            stream->SetStartTime(Seconds(0));
        }
    }
    Simulator::Stop(MilliSeconds(milliseconds));
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("ns-3: %llu packets arrived, %llu events in %.3f s: %.4f million packets a second\n",
                static_cast<unsigned long long>(g_arrived),
                static_cast<unsigned long long>(Simulator::GetEventCount()),
                took.count(),
                static_cast<double>(g_arrived) / took.count() / 1e6);
    Simulator::Destroy();
    return 0;
}
