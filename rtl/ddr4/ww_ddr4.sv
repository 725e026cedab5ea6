// Rows of 64 bytes to and from a DDR4 controller (MIG, user interface of 512 bits), for several users.
//
// A row is one burst of eight of a DIMM of 64 bits. Each user writes and reads rows. A read sees all writes that its user
// gave before it and in the same clock; it may or may not see later ones, so a user must not write bytes that it still
// waits for. Reads of a user come back in the order in which they were given. Between users there is no order.
//
// To turn the bus costs about as much as ten rows. So rows of one kind go together, BATCH of them while the other kind
// waits. Somebody waits for a row that is read, and nobody for one that is written: reads go on as long as writes have room.
//
// Source: 002-monitoring-limago 2.17, S49 (512 bits at 300 MHz: 153.6 Gb/s of which 125 are reached).
module ww_ddr4 #(
    // Users, 2 to 8.
    parameter int USERS = 2,
    // Bits of the number of a row: 26 for 4 GiB.
    parameter int ROW_WIDTH = 26,
    // Rows of a user that wait to be written, 16, 32 or 64, and to be read, 4 to 64.
    parameter int WRITES = 32,
    parameter int READS = 32,
    // Rows of all users that were asked of the memory and have not come.
    parameter int UNDER_WAY = 256,
    // Rows of one kind at a time, 1 to 255.
    parameter int BATCH = 16
) (
    input  logic clk,
    input  logic rst,
    // Rows that are written: bytes whose bit in `write_mask` is 1.
    input  logic [USERS-1:0]                write_valid,
    output logic [USERS-1:0]                write_ready,
    input  logic [USERS-1:0][ROW_WIDTH-1:0] write_row,
    input  logic [USERS-1:0][63:0]          write_mask,
    input  logic [USERS-1:0][511:0]         write_data,
    // Rows that are read.
    input  logic [USERS-1:0]                read_valid,
    output logic [USERS-1:0]                read_ready,
    input  logic [USERS-1:0][ROW_WIDTH-1:0] read_row,
    // Rows that have come: the user must take them.
    output logic [USERS-1:0]                data_valid,
    output logic [511:0]                    data,
    // The controller. An address counts columns of 8 bytes. A bit of `app_wdf_mask` that is 1 keeps a byte as it is.
    output logic [ROW_WIDTH+2:0] app_addr,
    output logic [2:0]           app_cmd,
    output logic                 app_en,
    input  logic                 app_rdy,
    output logic [511:0]         app_wdf_data,
    output logic [63:0]          app_wdf_mask,
    output logic                 app_wdf_wren,
    output logic                 app_wdf_end,
    input  logic                 app_wdf_rdy,
    input  logic [511:0]         app_rd_data,
    input  logic                 app_rd_data_valid,
    // No row waits or is under way.
    output logic                 quiet
);
    if (USERS < 2 || USERS > 8) begin : g_illegal_users
        $error("ww_ddr4: USERS must be 2 to 8");
    end
    if ((WRITES != 16 && WRITES != 32 && WRITES != 64) || READS < 4 || READS > 64) begin : g_illegal_depths
        $error("ww_ddr4: WRITES must be 16, 32 or 64, and READS 4 to 64");
    end
    if (BATCH < 1 || BATCH > 255) begin : g_illegal_batch
        $error("ww_ddr4: BATCH must be 1 to 255");
    end
    localparam int UB = $clog2(USERS);
    localparam logic [2:0] CMD_WRITE = 3'b000;
    localparam logic [2:0] CMD_READ = 3'b001;

    // Rows that wait. A read has with it how many writes of its user go first: if one is of its row, all that wait. --------
    localparam int WB = $clog2(WRITES);
    // Far fewer writes than half of what they count are done while a read waits.
    localparam int TB = WB + 7;
    typedef struct packed {
        logic [ROW_WIDTH-1:0] row;
        logic [63:0]          mask;
        logic [511:0]         data;
    } write_t;
    typedef struct packed {
        logic [TB-1:0]        ticket;
        logic [ROW_WIDTH-1:0] row;
    } read_t;
    write_t [USERS-1:0] writes;
    read_t  [USERS-1:0] reads;
    logic   [USERS-1:0] may_write, reads_wait, may_read, takes_write, takes_read, full;
    for (genvar n = 0; n < USERS; n++) begin : g_user
        logic [WRITES-1:0][ROW_WIDTH-1:0] rows;
        logic [WRITES-1:0] waits, same;
        logic [TB-1:0]     given, done;
        logic [WB:0]       level;
        logic              gives;
        assign gives = write_valid[n] && write_ready[n];
        assign full[n] = 32'(level) >= WRITES - 8;
        for (genvar k = 0; k < WRITES; k++) begin : g_same
            assign same[k] = waits[k] && rows[k] == read_row[n];
        end
        logic [TB-1:0] ticket;
        assign ticket = same != '0 || (gives && write_row[n] == read_row[n]) ? given + TB'(gives) : done;
        ww_fifo #(.WIDTH($bits(write_t)), .DEPTH(WRITES)) u_writes (
            .clk, .rst, .s_valid(write_valid[n]), .s_ready(write_ready[n]),
            .s_data({write_row[n], write_mask[n], write_data[n]}),
            .m_valid(may_write[n]), .m_ready(takes_write[n]), .m_data(writes[n]), .level
        );
        // verilator lint_off PINCONNECTEMPTY
        ww_fifo #(.WIDTH($bits(read_t)), .DEPTH(READS)) u_reads (
            .clk, .rst, .s_valid(read_valid[n]), .s_ready(read_ready[n]), .s_data({ticket, read_row[n]}),
            .m_valid(reads_wait[n]), .m_ready(takes_read[n]), .m_data(reads[n]), .level()
        );
        // verilator lint_on PINCONNECTEMPTY
        assign may_read[n] = reads_wait[n] && $signed(done - reads[n].ticket) >= 0;
        always_ff @(posedge clk) begin
            if (gives) rows[given[WB-1:0]] <= write_row[n];
            if (takes_write[n]) waits[done[WB-1:0]] <= 1'b0;
            if (gives) waits[given[WB-1:0]] <= 1'b1;
            given <= given + TB'(gives);
            done <= done + TB'(takes_write[n]);
            if (rst) begin
                waits <= '0;
                given <= '0;
                done <= '0;
            end
        end
    end

    // Which one is next. ------------------------------------------------------------------------------------------------
    logic             reading, reads_now, other_waits, takes, busy, command_waits, data_waits, owner_ready;
    logic [7:0]       left;
    logic [UB-1:0]    turn, user;
    logic [USERS-1:0] may;
    always_comb begin
        other_waits = reading ? full != '0 : may_read != '0;
        reads_now = (reading ? may_read != '0 : may_write != '0) && !(left == 0 && other_waits) ? reading : !reading;
        may = reads_now ? may_read : may_write;
        user = turn;
        for (int n = USERS; n > 0; n--)
            if (may[UB'((32'(turn) + n) % USERS)]) user = UB'((32'(turn) + n) % USERS);
        takes = !busy && may != '0 && (!reads_now || owner_ready);
        takes_write = '0;
        takes_read = '0;
        takes_write[user] = takes && !reads_now;
        takes_read[user] = takes && reads_now;
    end
    always_ff @(posedge clk) begin
        if (takes) begin
            turn <= user;
            reading <= reads_now;
            left <= reads_now != reading ? 8'(BATCH) - 8'd1 : left == 0 ? '0 : left - 8'd1;
        end
        if (rst) begin
            turn <= '0;
            reading <= 1'b0;
            left <= 8'(BATCH);
        end
    end

    // What the controller is told: a command and, of a write, its data, each when it takes them. ------------------------
    assign busy = (command_waits && !app_rdy) || (data_waits && !app_wdf_rdy);
    assign app_en = command_waits;
    assign app_wdf_wren = data_waits;
    assign app_wdf_end = 1'b1;
    always_ff @(posedge clk) begin
        if (app_rdy) command_waits <= 1'b0;
        if (app_wdf_rdy) data_waits <= 1'b0;
        if (takes) begin
            command_waits <= 1'b1;
            data_waits <= !reads_now;
            app_cmd <= reads_now ? CMD_READ : CMD_WRITE;
            app_addr <= {reads_now ? reads[user].row : writes[user].row, 3'b000};
            app_wdf_data <= writes[user].data;
            app_wdf_mask <= ~writes[user].mask;
        end
        if (rst) begin
            command_waits <= 1'b0;
            data_waits <= 1'b0;
        end
    end

    // Whose rows come. --------------------------------------------------------------------------------------------------
    logic          owner_valid;
    logic [UB-1:0] owner;
    // verilator lint_off PINCONNECTEMPTY
    ww_fifo #(.WIDTH(UB), .DEPTH(UNDER_WAY)) u_owners (
        .clk, .rst, .s_valid(takes && reads_now), .s_ready(owner_ready), .s_data(user),
        .m_valid(owner_valid), .m_ready(app_rd_data_valid), .m_data(owner), .level()
    );
    // verilator lint_on PINCONNECTEMPTY
    always_comb begin
        data_valid = '0;
        data_valid[owner] = app_rd_data_valid;
    end
    assign data = app_rd_data;
    assign quiet = may_write == '0 && reads_wait == '0 && !command_waits && !data_waits && !owner_valid;
endmodule
