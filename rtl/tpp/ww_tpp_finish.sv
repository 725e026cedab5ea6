// What a TPP leaves in its frame: hop number, stack pointer, checksum and the words that were written, as
// patches of 16-bit words; and what is counted. One clock.
module ww_tpp_finish #(
    // Bits that came with the TPP.
    parameter int TAG_WIDTH = 3,
    // Not to be set: fields of m_state and m_aside of ww_tpp_resolve; the result.
    localparam int STATE_WIDTH = 335,
    localparam int ASIDE_WIDTH = TAG_WIDTH + 291,
    localparam int RESULT_WIDTH = 20 + 12 * 25
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    s_valid,
    input  logic [STATE_WIDTH-1:0]  s_state,
    input  logic [ASIDE_WIDTH-1:0]  s_aside,
    // {fault, needed, patches}; a patch is {valid, number of the 16-bit word in the frame, the word}.
    output logic                    m_valid,
    output logic [TAG_WIDTH-1:0]    m_tag,
    output logic [RESULT_WIDTH-1:0] m_result,
    // What was executed, as crate tpp reports it, in the clock with m_valid. How many instructions were skipped,
    // 3 bits for each reason: absent, denied, read only, writing off, outside of packet memory, reserved.
    output logic                    executed,
    output logic                    guard_failed,
    output logic [17:0]             skipped
);
    // generated: tpp_header (crates/tpp/src/header.rs, instruction.rs, packet.rs)
    localparam int HEADER_BYTES = 12, HOP_AT = 4, CHECKSUM_AT = 8;
    // end of generated

    logic [4:0]       live;
    logic [4:0]       ended;
    logic [4:0]       written;
    logic [4:0][31:0] first;
    logic [4:0][31:0] second;
    assign {live, ended, written, first, second} = s_state;

    logic [TAG_WIDTH-1:0] tag;
    logic                 executes;
    logic [2:0]           fault;
    logic [16:0]          needed;
    logic [5:0]           start;
    logic [2:0]           count;
    logic [7:0]           hop;
    logic [7:0]           pointer;
    logic [7:0]           memory_length;
    logic [15:0]          checksum;
    logic [4:0][2:0]      reason;
    logic [4:0]           push;
    logic [4:0]           pop;
    logic [4:0][6:0]      at;
    logic [4:0][31:0]     original;
    logic                 wide;
    assign {tag, executes, fault, needed, start, count, hop, pointer, memory_length, checksum, reason, push, pop,
            at, original, wide} = s_aside;
    wire unused_state = &{1'b0, live, second, start[0]};

    logic signed [10:0] step;
    logic signed [10:0] moved;
    logic               over;
    logic [5:0][2:0]    counts;
    logic [7:0]         hop_next;
    logic [7:0]         pointer_next;
    logic [4:0]         again;
    logic [20:0]        sum;
    logic [16:0]        folded_once;
    logic [15:0]        checksum_next;
    logic [7:0]         header_at;
    logic [7:0]         memory_at;
    logic [11:0][24:0]  patches;
    always_comb begin
        // Instructions behind a CEXEC that failed have not been there.
        step   = wide ? 11'sd4 : 11'sd2;
        moved  = $signed({3'b000, pointer});
        counts = '0;
        over   = !executes;
        for (int i = 0; i < 5; i++) begin
            if (!over) begin
                if (push[i]) moved = moved + step;
                if (pop[i]) moved = moved - step;
                for (int r = 0; r < 6; r++) begin
                    if (reason[i] == 3'(r + 1)) counts[r] = counts[r] + 3'd1;
                end
            end
            if (ended[i]) over = 1'b1;
        end
        if (moved < 0) moved = '0;
        if (moved > $signed({3'b000, memory_length})) moved = $signed({3'b000, memory_length});
        pointer_next = moved[7:0];
        hop_next     = hop == 8'hff ? hop : hop + 8'd1;

        // RFC 1624, equation 3. A word that two instructions wrote has the value of the last one.
        // In concatenations, so that inverting keeps to 16 bits.
        sum = {5'd0, ~checksum} + {5'd0, ~hop, ~pointer} + {5'd0, hop_next, pointer_next};
        for (int i = 0; i < 5; i++) begin
            again[i] = 1'b0;
            for (int j = i + 1; j < 5; j++) begin
                if (written[j] && at[j] == at[i]) again[i] = 1'b1;
            end
            if (written[i] && !again[i]) begin
                sum = sum + {5'd0, ~original[i][31:16]} + {5'd0, first[i][31:16]};
                if (wide) sum = sum + {5'd0, ~original[i][15:0]} + {5'd0, first[i][15:0]};
            end
        end
        folded_once   = 17'(sum[15:0]) + 17'(sum[20:16]);
        checksum_next = ~(folded_once[15:0] + 16'(folded_once[16]));

        header_at = {3'd0, start[5:1]};
        memory_at = header_at + 8'(HEADER_BYTES / 2) + {4'd0, count, 1'b0};
        for (int i = 0; i < 5; i++) begin
            patches[2*i]   = {executes && written[i] && !again[i], memory_at + {1'b0, at[i]}, first[i][31:16]};
            patches[2*i+1] = {executes && written[i] && !again[i] && wide, memory_at + {1'b0, at[i]} + 8'd1, first[i][15:0]};
        end
        patches[10] = {executes, header_at + 8'(HOP_AT / 2), hop_next, pointer_next};
        patches[11] = {executes, header_at + 8'(CHECKSUM_AT / 2), checksum_next};
    end

    always_ff @(posedge clk) begin
        m_valid      <= s_valid;
        m_tag        <= tag;
        m_result     <= {fault, needed, patches};
        executed     <= s_valid && executes;
        guard_failed <= s_valid && executes && ended != '0;
        skipped      <= s_valid ? counts : '0;
        if (rst) m_valid <= 1'b0;
    end
endmodule
